import type { FieldDefinition } from '../custom-fields/values.ts';
import { found, invalid, notFound } from '../errors.ts';
import { newestMeaning, type BlockContext, type ContactView } from '../flows/blocks/context.ts';
import { scopeOf } from '../flows/blocks/scope.ts';
import { renderText } from '../flows/templating/render.ts';
import { showId } from '../ids.ts';
import { readFilesOf } from '../flows/read-files.ts';
import type { LinkTo } from '../media/schema.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findCannedReply } from './queries.ts';

type CannedReplyToRender = { accountId: string; id: string; contactId: string; lastingLinkTo: LinkTo };

/**
 * The text of a canned reply for a contact; a placeholder without a value is empty. Throws `not_found` for either when the account has none such, and
 * `invalid_request` where the contact's values make it too long.
 */
export const renderCannedReply = async (
  sql: Sql,
  { accountId, id, contactId, lastingLinkTo: linkTo }: CannedReplyToRender,
): Promise<string> => {
  const { text } = found('canned reply', await findCannedReply(sql, accountId, id));
  const context = await readContext(sql, { accountId, contactId });
  const files = await readFilesOf(sql, { accountId, linkTo }, context.contact.fields);
  const rendered = renderText(text, scopeOf({ ...context, files }));
  if (rendered.ok) return rendered.text;
  throw invalid({ path: 'contact_id', message: `cannot be filled in: the text ${rendered.problem.message}` });
};

type Row = Omit<ContactView, 'id' | 'fields'> & {
  customFields: ContactView['fields'];
  now: Date;
  accountName: string;
  accountTimeZone: string;
  defaultCountry: string | null;
  definitions: FieldDefinition[];
};

const readContext = async (
  sql: Sql,
  { accountId, contactId }: { accountId: string; contactId: string },
): Promise<BlockContext> => {
  const [row] = await sql<Row[]>`
    select c.first_name, c.last_name, c.email, c.phone, c.language, c.time_zone, c.external_id, c.custom_fields,
      coalesce(c.last_channel, 'api') as channel, clock_timestamp() as now,
      a.name as account_name, a.time_zone as account_time_zone, a.default_country,
      array(select t.name from contact_tags ct join tags t on t.id = ct.tag_id where ct.contact_id = c.id order by t.name) as tags,
      (select coalesce(json_agg(d), '[]') from (
        select key, name, type, options, default_value as default from custom_fields where account_id = a.id) d) as definitions
    from contacts c join accounts a on a.id = c.account_id where c.id = ${contactId} and c.account_id = ${accountId}`;
  if (!row) throw notFound('contact');
  const { customFields, now, accountName, accountTimeZone, defaultCountry, definitions, ...contact } = row;
  return {
    ...outsideOfFlows,
    now,
    account: { name: accountName, timeZone: accountTimeZone, defaultCountry },
    contact: { ...contact, id: showId('contact', contactId), fields: customFields },
    fields: new Map(definitions.map((definition) => [definition.key, definition])),
  };
};

const epoch = new Date(0);

/** What only flows have; a canned reply cannot name it. */
const outsideOfFlows = {
  v: newestMeaning,
  flow: { id: '', name: '' },
  run: { id: '', startedAt: epoch, params: {}, reply: null, event: null },
  step: { number: 0, visit: 0, tries: 0, enteredAt: epoch },
} as const;
