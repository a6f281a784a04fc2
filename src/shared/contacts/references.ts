import { conflictWith, found, invalid, notFound } from '../errors.ts';
import { parseId } from '../ids.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { getPhoneForms } from './phones.ts';
import { externalIdLength, findEmailProblem } from './schema.ts';

type Way = {
  condition: (sql: Sql, values: readonly string[]) => Fragment;
  /** What is looked for, the value alone when left out. Throws `invalid_request`. */
  forms?: (sql: Sql, accountId: string, value: string) => Promise<readonly string[]>;
};

/** How a path names a contact beside by its id, as `email:ada@example.com`. Nothing that is read here may be logged. */
const ways: Readonly<Record<string, Way>> = {
  external: { condition: (sql, [value = '']) => sql`external_id = ${value}` },
  email: {
    condition: (sql, [value = '']) => sql`lower(email) = lower(${value})`,
    forms: async (_sql, _accountId, value) => {
      const problem = findEmailProblem(value);
      if (problem !== undefined) throw invalid({ path: 'id', message: problem });
      return [value];
    },
  },
  phone: {
    condition: (sql, values) => sql`phone = any(${[...values]})`,
    forms: (sql, accountId, phone) => getPhoneForms(sql, accountId, { phone, path: 'id' }),
  },
};

/**
 * The UUID of the contact that a path names: the one in its id, which may be nobody's, or that of the account's contact with this external id,
 * e-mail address (in any letter case) or phone number (however it is written). Throws `not_found`, `invalid_request` for what can be no such address or number, and
 * `conflict` that names one where several contacts share it.
 */
export const findReferredContact = async (sql: Sql, accountId: string, reference: string): Promise<string> => {
  const [, way = '', value = ''] = /^([a-z]+):(.+)$/s.exec(reference) ?? [];
  const named = Object.hasOwn(ways, way) ? ways[way] : undefined;
  if (!named) return found('contact', parseId('contact', reference));
  if (value.length > externalIdLength || value.includes('\0')) throw notFound('contact');
  const values = (await named.forms?.(sql, accountId, value)) ?? [value];
  const [first, second] = await sql<{ id: string }[]>`
    select id from contacts where account_id = ${accountId} and ${named.condition(sql, values)} order by id limit 2`;
  const { id } = found('contact', first);
  if (second) {
    throw conflictWith(`Several contacts have this ${way}. Use the id of one.`, { noun: 'contact', id, key: way });
  }
  return id;
};
