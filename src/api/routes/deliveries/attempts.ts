import { attemptsAtOnce, listAttempts, type AttemptPosition } from '../../../shared/deliveries/attempt-log.ts';
import { findDelivery } from '../../../shared/deliveries/queries.ts';
import { attemptBody, showAttempt, withoutEvidence } from '../../../shared/deliveries/schema.ts';
import { attemptKinds } from '../../../shared/deliveries/types.ts';
import { found } from '../../../shared/errors.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { createPages, listOf } from '../../lists.ts';
import { mayAs } from '../../roles.ts';

const readCursor = (text: string): AttemptPosition | undefined => {
  const plain = Buffer.from(text, 'base64url').toString('latin1');
  const [, round, name, number] = /^([1-9]\d{0,8})\.([a-z]+)\.([1-9]\d{0,8})$/.exec(plain) ?? [];
  const kind = attemptKinds.find((one) => one === name);
  if (kind === undefined) return undefined;
  return { round: Number(round), kind, number: Number(number) };
};

const showCursor = ({ round, kind, number }: AttemptPosition): string =>
  Buffer.from(`${round}.${kind}.${number}`).toString('base64url');

/** An attempt has no id: its cursor says which one of the delivery it is. */
const pages = createPages({ most: attemptsAtOnce, usual: attemptsAtOnce, readCursor, showCursor });

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
      query: pages.query,
      answers: { 200: listOf(attemptBody) },
    },
    ({ principal, scope, id, query }) =>
      pages.page(
        query,
        (page) =>
          reads(scope.accountId, async (sql) => {
            found('delivery', await findDelivery(sql, scope, id));
            return listAttempts(sql, id, page);
          }),
        (row) => (mayAs('editor', principal) ? showAttempt(row) : withoutEvidence(showAttempt(row))),
      ),
  );
