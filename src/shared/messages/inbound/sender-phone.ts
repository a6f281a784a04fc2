import { findPhoneProblems, withPhone } from '../../contacts/phones.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { InboundMessage } from './schema.ts';

/** An inbound message whose sender's phone number is in international form; what is no number is skipped. */
export const withSenderPhone = async (
  sql: Sql,
  accountId: string,
  message: InboundMessage,
): Promise<InboundMessage> => {
  const { phone, skipped = [], ...sender } = message.sender;
  if (typeof phone !== 'string') return message;
  const problems = await findPhoneProblems(sql, accountId, phone);
  if (problems.length === 0) return { ...message, sender: await withPhone(sql, accountId, message.sender) };
  const told = problems.map(({ path, message: problem }) => ({ path: `sender.${path}`, message: problem }));
  return { ...message, sender: { ...sender, skipped: [...skipped, ...told] } };
};
