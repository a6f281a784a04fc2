import { selectHandoverWords } from '../../accounts/handover-settings.ts';
import type { OpenCredential } from '../../credentials/open.ts';
import type { FieldDefinition, Json } from '../../custom-fields/values.ts';
import { found, invalid } from '../../errors.ts';
import { newestMeaning, type BlockContext, type ContactView } from '../../flows/blocks/context.ts';
import { coerceField, fieldsOf } from '../../flows/blocks/fields.ts';
import type { BlockVersions } from '../../flows/definition/plan.ts';
import { showId } from '../../ids.ts';
import { readFilesOf } from '../../flows/read-files.ts';
import type { LinkTo } from '../../media/schema.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { seeEffect } from '../effects/index.ts';
import { readTargets } from '../engine/flow-targets.ts';
import type { SimulationSubject } from './simulation.ts';

/** The most tags of an account whose spelling is known. */
const knownTags = 2_000;

/** The fields of a contact who does not exist, by the names of profile and custom fields. */
export type ScratchContact = {
  /** A UUID. */
  id: string;
  externalId: string | null;
  channel: string;
  profile: Readonly<Record<string, Json>>;
  customFields: Readonly<Record<string, Json>>;
  tags: readonly string[];
};

/** What is simulated: `uses` is what the definition needs, as `usesOf` tells it; a contact is the UUID of one, or made up. */
export type SubjectToRead = {
  accountId: string;
  flowId: string;
  definition: unknown;
  blockVersions?: BlockVersions | undefined;
  uses: readonly string[];
  contact: string | ScratchContact;
  /** What else may name files. */
  values: unknown;
  lastingLinkTo: LinkTo;
  baseUrl: string;
};

type Row = Omit<ContactView, 'id' | 'fields'> & {
  contactId: string | null;
  customFields: ContactView['fields'];
  status: SimulationSubject['status'];
  silentUntil: Date | null;
  isHandedOver: boolean;
  accountName: string;
  timeZone: string | null;
  accountTimeZone: string;
  defaultCountry: string | null;
  flowName: string;
  handoverWords: string[] | null;
  fields: FieldDefinition[];
  tagNames: string[];
  credentials: Omit<OpenCredential, 'secret'>[];
};

/**
 * Reads what a simulation needs of the account. Throws 404 for a flow or contact that is not the account's, 422 for values that the fields of the
 * made-up contact cannot hold.
 */
export const readSubject = async (sql: Sql, toRead: SubjectToRead): Promise<SimulationSubject> => {
  const { accountId, flowId, definition, blockVersions, uses, values, lastingLinkTo: linkTo, baseUrl } = toRead;
  const known = typeof toRead.contact === 'string' ? toRead.contact : null;
  const [row] = await sql<Row[]>`
    select c.id as contact_id, c.first_name, c.last_name, c.email, c.phone, c.language, c.time_zone, c.external_id,
      coalesce(c.custom_fields, '{}') as custom_fields, coalesce(c.last_channel, 'api') as channel,
      coalesce(c.status, 'active') as status, c.automation_paused_until as silent_until, c.handover_id is not null as is_handed_over,
      a.name as account_name, a.time_zone as account_time_zone, a.default_country, f.name as flow_name,
      (${selectHandoverWords(sql, accountId)}) as handover_words,
      array(select t.name from contact_tags ct join tags t on t.id = ct.tag_id where ct.contact_id = c.id order by t.name) as tags,
      array(select name from tags where account_id = a.id order by id desc limit ${knownTags}) as tag_names,
      (select coalesce(json_agg(json_build_object('name', name, 'type', type, 'param', param, 'hosts', hosts)), '[]')
        from credentials where account_id = a.id) as credentials,
      (select coalesce(json_agg(d), '[]') from (
        select key, name, type, options, default_value as default from custom_fields where account_id = a.id) d) as fields
    from flows f join accounts a on a.id = f.account_id
    left join contacts c on c.account_id = a.id and c.id = ${known}
    where f.id = ${flowId} and f.account_id = ${accountId}`;
  const { contactId, silentUntil, ...read } = found('flow', row);
  if (known !== null) found('contact', contactId ?? undefined);
  const account = { name: read.accountName, timeZone: read.accountTimeZone, defaultCountry: read.defaultCountry };
  const flow = { id: showId('flow', flowId), name: read.flowName };
  const contact =
    typeof toRead.contact === 'string' ? contactOf(read, toRead.contact) : makeUp(toRead.contact, { account, ...read });
  const flowIds = uses.flatMap((use) => (use.startsWith('flow:') ? [use.slice('flow:'.length)] : []));
  const targets = await readTargets(sql, known ?? flowId, flowIds);
  const { status, isHandedOver, handoverWords, fields, tagNames, credentials } = read;
  const defaults = fields.map((field) => field.default);
  const files = await readFilesOf(sql, { accountId, linkTo }, [contact.fields, defaults, values]);
  return {
    definition,
    blockVersions,
    flow,
    account,
    contact,
    status,
    silentUntil: silentUntil?.getTime() ?? null,
    isHandedOver,
    handoverWords,
    fields,
    tagNames,
    targets: Object.fromEntries(targets),
    credentials,
    files: [...files.values()],
    baseUrl,
  };
};

const contactOf = (
  {
    firstName,
    lastName,
    email,
    phone,
    language,
    timeZone,
    externalId,
    channel,
    customFields,
    tags,
  }: Omit<Row, 'contactId' | 'silentUntil'>,
  id: string,
): ContactView => ({
  id: showId('contact', id),
  firstName,
  lastName,
  email,
  phone,
  language,
  timeZone,
  externalId,
  channel,
  fields: customFields,
  tags,
});

/** The contact as if these values had been set, as a run sets them. */
const makeUp = (
  { id, externalId, channel, profile, customFields, tags }: ScratchContact,
  { account, fields }: Pick<BlockContext, 'account'> & { fields: readonly FieldDefinition[] },
): ContactView => {
  const nobody = { firstName: null, lastName: null, email: null, phone: null, language: null, timeZone: null };
  const contact = { ...nobody, id: showId('contact', id), externalId, channel, fields: {}, tags };
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const context = { ...emptyContext, account, contact, fields: byKey };
  const given = [
    ...Object.entries(profile).map(([key, value]) => ({ key, value, path: `contact.${key}` })),
    ...Object.entries(customFields).map(([key, value]) => ({ key, value, path: `contact.custom_fields.${key}` })),
  ];
  const coerced = given.map(({ key, value, path }) => ({ key, path, ...coerceField(fieldsOf(context), key, value) }));
  const problems = coerced.flatMap((one) => (one.ok ? [] : [{ path: one.path, message: one.problem }]));
  if (problems.length > 0) throw invalid(problems);
  const effects = coerced.flatMap((one) =>
    one.ok ? [{ type: 'set_field' as const, key: one.key, value: one.value }] : [],
  );
  return effects.reduce(seeEffect, { context, handover: null, lastSeq: 0 }).context.contact;
};

const epoch = new Date(0);

const emptyContext = {
  v: newestMeaning,
  now: epoch,
  flow: { id: '', name: '' },
  run: { id: '', startedAt: epoch, params: {}, reply: null, event: null },
  step: { number: 0, visit: 0, tries: 0, enteredAt: epoch },
};
