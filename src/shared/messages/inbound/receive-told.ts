import type { z } from 'zod';
import { invalid } from '../../errors.ts';
import type { EventAutocommit, EventTransact } from '../../facts/tell.ts';
import { inLine } from '../../platform/bulkhead/asker.ts';
import type { Database, Sql } from '../../platform/db/connect.ts';
import { repairTexts } from '../../platform/repair-texts.ts';
import { codeOfIssue, sayIssue } from '../../platform/say-issue.ts';
import { unreachable } from '../../unreachable.ts';
import type { GivenMessage, Told } from '../channels/kind.ts';
import { markReadByContact } from '../outbound/mark-read-by-contact.ts';
import type { Received } from './message.ts';
import { editMessage } from './edit-message.ts';
import { receiveChoice } from './receive-choice.ts';
import { receiveInTransaction } from './receive-in-transaction.ts';
import { receive } from './receive.ts';
import { editedMessage, inboundBody, type InboundMessage } from './schema.ts';
import { senderLine, type Over } from './sender-line.ts';
import { withSenderPhone } from './sender-phone.ts';
import type { InboundStatements } from './share-statements.ts';

type Deps = { db: Database; transact: EventTransact; autocommit: EventAutocommit; inbound: InboundStatements };

/** The most things that one request tells. */
const toldAtMost = 100;

/**
 * Records what a service tells of a channel, in its order. Telling it again changes nothing. Throws `invalid_request`, with nothing recorded, for a
 * message that cannot be one, and for too many.
 */
export const receiveTold = async (deps: Deps, over: Over, all: readonly Told[]): Promise<void> => {
  if (all.length > toldAtMost) throw invalid({ path: '', message: `must tell at most ${toldAtMost} things` });
  const checked = all.map(check);
  for (const told of checked) {
    switch (told.type) {
      case 'message':
        await receiveMessage(deps, over, told.message);
        break;
      case 'edit':
        await deps.autocommit((statement) => editMessage(statement, over, told.message));
        break;
      case 'choice':
        await receiveChoice(deps, over, {
          message_id: `choice:${told.ref}`,
          messageId: told.messageId,
          index: told.index,
          sender: { external_id: told.sender.external_id },
        });
        break;
      case 'read':
        await deps.autocommit((statement) => markReadByContact(statement, { ...over, ref: told.ref }));
        break;
      default:
        unreachable(told);
    }
  }
};

const check = (told: Told) => {
  if (told.type === 'message') return { ...told, message: parse(inboundBody, told.message) };
  return told.type === 'edit' ? { ...told, message: parse(editedMessage, told.message) } : told;
};

const parse = <Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> => {
  const { data, error } = schema.safeParse(repairTexts(given), { error: sayIssue, reportInput: true });
  if (!error) return data;
  throw invalid(
    error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message, code: codeOfIssue(issue) })),
  );
};

/** Records one message of a contact, and answers it. The same `message_id` again changes nothing. Throws `not_found` without the channel. */
export const receiveMessage = async (deps: Deps, over: Over, given: InboundMessage): Promise<Received> => {
  const message = await withSenderPhone(deps.db, over.accountId, given);
  const incoming = { ...over, message };
  const received = await receive(deps, incoming);
  if (received) return received;
  return inLine(senderLine(over, message.sender), () => deps.transact((tx) => receiveInTransaction(tx, incoming)));
};

/**
 * Records a message of a contact in a transaction with what belongs to it: nothing where `unless` says so, and `also` with the message. Answers whether
 * it did. Throws `invalid_request` for a message that cannot be one.
 */
export const receiveWith = async (
  { db, transact }: Pick<Deps, 'db' | 'transact'>,
  over: Over,
  given: GivenMessage,
  { unless, also }: { unless: (sql: Sql) => Promise<boolean>; also: (sql: Sql) => Promise<void> },
): Promise<boolean> => {
  const message = await withSenderPhone(db, over.accountId, parse(inboundBody, given));
  return inLine(senderLine(over, message.sender), () =>
    transact(async (tx) => {
      if (await unless(tx.sql)) return false;
      await receiveInTransaction(tx, { ...over, message });
      await also(tx.sql);
      return true;
    }),
  );
};
