import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that came in whole. */
type ReceivedMail = { to: string; source: string; receivedAtMs: number };

/** A mail that was refused, by its recipient. */
type RefusedMail = { to: string; code: number; atMs: number };

export type MailServer = {
  received: ReceivedMail[];
  refused: RefusedMail[];
  /** The next mails to this recipient are refused with these codes, one each. */
  refuse: (recipient: string, ...codes: number[]) => void;
  /** Called with the next mail to this recipient before it is answered. */
  beforeAnswer: (recipient: string, work: () => Promise<void>) => void;
  close: () => Promise<void>;
};

/** A real SMTP server on this loopback port. */
export const startMailServer = async (port: number): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  const refused: RefusedMail[] = [];
  const refusals = new Map<string, number[]>();
  const works = new Map<string, () => Promise<void>>();
  const take = async (stream: Readable, to: string, done: () => void): Promise<void> => {
    received.push({ to, source: await text(stream), receivedAtMs: Date.now() });
    const work = works.get(to);
    works.delete(to);
    await work?.();
    done();
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: ({ address: to }, _session, done) => {
      const code = refusals.get(to)?.shift();
      if (code === undefined) return done();
      refused.push({ to, code, atMs: Date.now() });
      done(Object.assign(new Error('not now'), { responseCode: code }));
    },
    onData: (stream, { envelope }, done) => {
      const to = envelope.rcptTo[0]?.address ?? '';
      void take(stream, to, done);
    },
  });
  // A client that is killed in the middle of a mail resets its connection.
  server.on('error', () => {});
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    received,
    refused,
    refuse: (recipient, ...codes) => void refusals.set(recipient, codes),
    beforeAnswer: (recipient, work) => void works.set(recipient, work),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

/** The Message-ID among a mail's headers, folded or not; throws when it has none. */
export const readMessageId = ({ source }: ReceivedMail): string => {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const unfolded = head.replaceAll(/\r\n(?=[ \t])/g, '');
  const [, messageId] = /^Message-ID:[ \t]*(<\S+>)[ \t]*$/im.exec(unfolded) ?? [];
  if (messageId === undefined) throw new Error(`a mail without a Message-ID:\n${head}`);
  return messageId;
};
