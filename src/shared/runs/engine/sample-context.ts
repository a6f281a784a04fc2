import { newestMeaning, type BlockContext, type ContactView } from '../../flows/blocks/context.ts';
import { coerceField, fieldsOf } from '../../flows/blocks/fields.ts';
import type { FieldDefinition, Json } from '../../custom-fields/values.ts';
import { found, invalid } from '../../errors.ts';
import { newUuid, showId } from '../../ids.ts';
import { readFilesOf } from '../../flows/read-files.ts';
import type { LinkTo } from '../../media/schema.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { seeEffect } from '../effects/index.ts';

/** What a block is tried against: a contact, values in the place of its own, and what a run would bring; ids are UUIDs. */
export type Sample = {
  accountId: string;
  flowId: string;
  contactId?: string | undefined;
  values: Readonly<Record<string, Json>>;
  params: Json;
  reply: string | null;
  event: Json;
  lastingLinkTo: LinkTo;
};

type Row = Omit<ContactView, 'id' | 'fields'> & {
  contactId: string | null;
  customFields: ContactView['fields'];
  now: Date;
  accountName: string;
  accountTimeZone: string;
  accountDefaultCountry: string | null;
  flowName: string;
  definitions: FieldDefinition[];
};

/**
 * The context of a run that is at its first step, as if the contact were in the flow. Without a contact there is one of whom nothing is known.
 * Throws 404 for a flow or contact that is not the account's, 422 for values that their fields cannot hold.
 */
export const sampleContext = async (sql: Sql, sample: Sample): Promise<BlockContext> => {
  const { accountId, flowId, contactId = null } = sample;
  const [row] = await sql<Row[]>`
    select c.id as contact_id, c.first_name, c.last_name, c.email, c.phone, c.language, c.time_zone, c.external_id,
      coalesce(c.custom_fields, '{}') as custom_fields, coalesce(c.last_channel, 'api') as channel, clock_timestamp() as now,
      a.name as account_name, a.time_zone as account_time_zone, a.default_country as account_default_country, f.name as flow_name,
      array(select t.name from contact_tags ct join tags t on t.id = ct.tag_id where ct.contact_id = c.id) as tags,
      (select coalesce(json_agg(d), '[]') from (
        select key, name, type, options, default_value as default from custom_fields where account_id = a.id) d) as definitions
    from flows f join accounts a on a.id = f.account_id
    left join contacts c on c.account_id = a.id and c.id = ${contactId}
    where f.id = ${flowId} and f.account_id = ${accountId}`;
  const {
    contactId: known,
    definitions,
    now,
    accountName,
    accountTimeZone,
    accountDefaultCountry,
    flowName,
    customFields,
    ...contact
  } = found('flow', row);
  if (contactId !== null) found('contact', known ?? undefined);
  const fields = new Map(definitions.map((definition) => [definition.key, definition]));
  const context = {
    v: newestMeaning,
    now,
    account: { name: accountName, timeZone: accountTimeZone, defaultCountry: accountDefaultCountry },
    contact: { ...contact, id: showId('contact', known ?? newUuid()), fields: customFields },
    flow: { id: showId('flow', flowId), name: flowName },
    run: {
      id: showId('run', newUuid()),
      startedAt: now,
      params: sample.params,
      reply: sample.reply === null ? null : { text: sample.reply },
      event: sample.event,
    },
    step: { number: 1, visit: 1, tries: 0, enteredAt: now },
    fields,
  };
  const sampled = withValues(context, sample.values);
  const defaults = definitions.map((definition) => definition.default);
  const values = [sampled.contact.fields, defaults, sample.params, sample.event];
  return { ...sampled, files: await readFilesOf(sql, { accountId, linkTo: sample.lastingLinkTo }, values) };
};

/** The context as if these values had been set. */
const withValues = (context: BlockContext, values: Sample['values']): BlockContext => {
  const coerced = Object.entries(values).map(([key, value]) => ({
    key,
    ...coerceField(fieldsOf(context), key, value),
  }));
  const problems = coerced.flatMap((one) => (one.ok ? [] : [{ path: `values.${one.key}`, message: one.problem }]));
  if (problems.length > 0) throw invalid(problems);
  const effects = coerced.flatMap((one) =>
    one.ok ? [{ type: 'set_field' as const, key: one.key, value: one.value }] : [],
  );
  return effects.reduce(seeEffect, { context, handover: null, lastSeq: 0 }).context;
};
