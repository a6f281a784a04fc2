import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { createSmtpMailer, type Mailer } from '../../src/shared/mail/mailer.ts';
import { startLadderWorld, type LadderWorld } from '../helpers/ladder-world.ts';
import { retireWebhooks } from '../helpers/states/webhooks.ts';

describe('the e-mail of a disabling', () => {
  let env: LadderWorld['env'];
  let world: LadderWorld['world'];
  let receiver: LadderWorld['receiver'];
  let stop: LadderWorld['stop'];
  const received: string[] = [];
  const refusals: number[] = [];

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      const responseCode = refusals.shift();
      done(responseCode === undefined ? null : Object.assign(new Error('not now'), { responseCode }));
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(String(Buffer.concat(chunks)));
        done();
      });
    },
  });

  let tries = 0;

  beforeAll(async () => {
    const port = await pickPort();
    const real = createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Parley <parley@parley.example>' });
    // Until the third try nobody listens on the mail server's port.
    const send: Mailer['send'] = async (mail) => {
      tries += 1;
      if (tries === 3) await once(smtp.listen(port, '127.0.0.1'), 'listening');
      return real.send(mail);
    };
    const mailer: Mailer = { ...real, send };
    ({ env, world, receiver, stop } = await startLadderWorld({ mailer }));
    receiver.respondWith(500);
  });

  afterAll(async () => {
    await stop();
    await new Promise<void>((resolve) => smtp.close(resolve));
  });

  /** Lets a delivery of variant A exhaust, and answers the mail that its disabling made. */
  const disable = async () => {
    await retireWebhooks(world.db);
    const webhookId = await world.aWebhook({ url: receiver.url('/in/0123456789hidden?token=hidden') });
    const [id = ''] = await world.anEvent();
    await world.ended(id);
    await world.dispatcher.drain();
    const [mail] = await world.db<{ id: string }[]>`select id from mails where dedup_key like ${`%${webhookId}%`}`;
    const mailId = showId('mail', mail?.id ?? '');
    return { webhookId, mailId, handle: env.client.workflow.getHandle(`mail/${mailId}`) };
  };

  const statusOf = async (webhookId: string) => {
    const [mail] = await world.db`select status, sweep_at from mails where dedup_key like ${`%${webhookId}%`}`;
    return mail;
  };

  test('goes out although the mail server is down and then refuses for a while, once, with a stable Message-ID, and leads to the page of its webhook', async () => {
    refusals.push(451, 421, 450);
    const { webhookId, mailId, handle } = await disable();
    expect(await handle.result()).toBe('sent');

    expect(tries).toBe(6);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain(`Message-ID: <${mailId}@parley>`);
    expect(received[0]).toContain('To: owner@acme.example');
    const page = `https://app.parley.example/settings/webhooks/${showId('webhook', webhookId)}`;
    expect(received[0]?.replaceAll('=\r\n', '').split('\r\n')).toContain(`  ${page}`);
    expect(received[0]).not.toContain('hidden');
    expect(await statusOf(webhookId)).toEqual({ status: 'sent', sweepAt: null });
  });

  test('one that the mail server refuses for good ends as refused, and is not tried for ever', async () => {
    refusals.push(550);
    const { webhookId, mailId, handle } = await disable();
    expect(await handle.result()).toBe('refused');
    expect(received).toHaveLength(1);
    // An answer that was lost: asked again, it is what the record says.
    expect(await world.activities.sendMail({ mailId })).toBe('refused');
    expect(await statusOf(webhookId)).toEqual({ status: 'refused', sweepAt: null });
  });
});
