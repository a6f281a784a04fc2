import type { FieldDefinition, FieldType } from '../../src/shared/custom-fields/values.ts';
import { newestMeaning, type ContactView, type BlockContext } from '../../src/shared/flows/blocks/context.ts';

/** A custom field of an account. */
export const aField = (key: string, type: FieldType, rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  key,
  name: key,
  type,
  options: null,
  default: null,
  ...rest,
});

/** Custom fields by their keys. */
export const fieldMap = (...fields: FieldDefinition[]): Map<string, FieldDefinition> =>
  new Map(fields.map((field) => [field.key, field]));

type Parts = {
  v?: number;
  now?: string;
  contact?: Partial<ContactView>;
  fields?: FieldDefinition[];
  accountZone?: string;
  country?: string | null;
  run?: Partial<BlockContext['run']>;
  step?: Partial<BlockContext['step']>;
};

/** What a block sees of a contact in the middle of a flow. */
export const aBlockContext = ({
  v = newestMeaning,
  now,
  contact,
  fields = [],
  accountZone = 'UTC',
  country = null,
  run,
  step,
}: Parts = {}): BlockContext => {
  const instant = new Date(now ?? '2026-03-04T10:00:00Z');
  return {
    v,
    now: instant,
    account: { name: 'Shirts & Co', timeZone: accountZone, defaultCountry: country },
    contact: {
      id: 'con_01jd6z3qf5e8pb2zv0w8c4x1kn',
      firstName: 'Ada',
      lastName: null,
      email: 'ada@example.com',
      phone: null,
      language: 'en',
      timeZone: null,
      externalId: null,
      channel: 'api',
      fields: {},
      tags: [],
      ...contact,
    },
    flow: { id: 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn', name: 'Shirts' },
    run: {
      id: 'run_01jd6z3qf5e8pb2zv0w8c4x1kn',
      startedAt: new Date('2026-03-04T09:00:00Z'),
      params: {},
      reply: null,
      event: null,
      ...run,
    },
    step: { number: 3, visit: 1, tries: 0, enteredAt: instant, ...step },
    fields: fieldMap(...fields),
  };
};
