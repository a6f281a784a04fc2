import { z } from 'zod';
import { attemptsAtOnce, listAttempts, type AttemptPlace } from '../../../shared/deliveries/attempt-log.ts';
import { findDelivery } from '../../../shared/deliveries/queries.ts';
import { attemptBody, showAttempt, withoutBody } from '../../../shared/deliveries/schema.ts';
import { attemptKinds } from '../../../shared/deliveries/types.ts';
import { notFound } from '../../../shared/errors.ts';
import { endpoint, type Resource } from '../../endpoint.ts';
import type { ApiDeps } from '../../http.ts';
import { listOf, listQuery } from '../../lists.ts';
import { mayAs } from '../../roles.ts';

/** An attempt has no id: its cursor says which one of the delivery it is. */
const cursor = z
  .string()
  .max(64)
  .transform((text, ctx) => {
    const place = readCursor(text);
    if (place) return place;
    ctx.addIssue({ code: 'custom', message: 'is not a cursor of ours' });
    return z.NEVER;
  });

const readCursor = (text: string): AttemptPlace | undefined => {
  const plain = Buffer.from(text, 'base64url').toString('latin1');
  const [, round, name, number] = /^([1-9]\d{0,8})\.([a-z]+)\.([1-9]\d{0,8})$/.exec(plain) ?? [];
  const kind = attemptKinds.find((one) => one === name);
  if (kind === undefined) return undefined;
  return { round: Number(round), kind, number: Number(number) };
};

const showCursor = ({ round, kind, number }: AttemptPlace): string =>
  Buffer.from(`${round}.${kind}.${number}`).toString('base64url');

const attemptsQuery = listQuery.extend({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(attemptsAtOnce)
    .default(attemptsAtOnce)
    .meta({ description: 'Rows of a page.' }),
  cursor: cursor.optional().meta({ description: 'next_cursor of the page before.' }),
});

/** The attempts of one delivery, page by page. */
export const addAttempts = (deliveries: Resource, { reads }: ApiDeps): void =>
  endpoint(
    deliveries,
    {
      id: 'listDeliveryAttempts',
      method: 'get',
      path: '/deliveries/:id/attempts',
      summary: 'List the attempts of a delivery',
      description: 'Newest first, of all rounds. A page has at most 50: each may hold 16 KiB of an answer.',
      role: 'agent',
      noun: 'delivery',
      query: attemptsQuery,
      answers: { 200: listOf(attemptBody) },
    },
    async ({ principal, scope, id, query: { limit, cursor: before } }) => {
      const rows = await reads(scope.accountId, async (sql) => {
        if (!(await findDelivery(sql, scope, id))) throw notFound('delivery');
        return listAttempts(sql, id, { limit: limit + 1, before });
      });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const shown = page.map(showAttempt);
      const data = mayAs('editor', principal) ? shown : shown.map(withoutBody);
      return { data, next_cursor: last ? showCursor(last) : null };
    },
  );
