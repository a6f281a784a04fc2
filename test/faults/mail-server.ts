import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that came in whole. */
type ReceivedMail = { to: string; messageId: string; receivedAtMs: number };

export type MailServer = {
  received: ReceivedMail[];
  /** The next mails to this recipient are refused with these codes, one each. */
  refuse: (recipient: string, ...codes: number[]) => void;
  /** When a mail was refused last, in ms since the epoch. */
  refusedAtMs: () => number;
  /** Called with the next mail to this recipient before it is answered. */
  beforeAnswer: (recipient: string, work: () => Promise<void>) => void;
  close: () => Promise<void>;
};

/** A real SMTP server on this loopback port. */
export const startMailServer = async (port: number): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  const refusals = new Map<string, number[]>();
  let refusedAtMs = 0;
  const works = new Map<string, () => Promise<void>>();
  const take = async (stream: Readable, to: string, done: () => void): Promise<void> => {
    const messageId = /^Message-ID: (.+)\r$/im.exec(String(await buffer(stream)))?.[1] ?? '';
    received.push({ to, messageId, receivedAtMs: Date.now() });
    const work = works.get(to);
    works.delete(to);
    await work?.();
    done();
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = refusals.get(address)?.shift();
      if (responseCode !== undefined) refusedAtMs = Date.now();
      done(responseCode === undefined ? null : Object.assign(new Error('not now'), { responseCode }));
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
    refuse: (recipient, ...codes) => void refusals.set(recipient, codes),
    refusedAtMs: () => refusedAtMs,
    beforeAnswer: (recipient, work) => void works.set(recipient, work),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
