import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createMailer } from '../../../src/shared/mail/mailer.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const mail = {
  messageId: '<mail_01m7yvw2defakacgwsjrgb7k0y@parley>',
  to: 'grace+shop@example.com',
  subject: 'You are invited – Caffè',
  date: new Date('2026-11-24T19:30:05.123Z'),
};

const createFiles = () => {
  const dataDir = mkdtempSync(join(tempFolder('mails'), 'data-'));
  onTestFinished(() => rmSync(dirname(dataDir), { recursive: true }));
  const mailer = createMailer({ mailFrom: 'Parley <parley@localhost>', dataDir }, pino({ level: 'silent' }));
  return { mailer, folder: join(dataDir, 'mails') };
};

test('a mail as a file has its link in one piece, whatever else the text has, and a name that says when and to whom', async () => {
  const { mailer, folder } = createFiles();
  const link = `https://parley.example/invitation#${'PxI_UwXw-=.'.repeat(20)}`;
  const text = `Caffè “Grace” invites you.\n\n  ${link}\n\nParley\n`;
  await mailer.send({ ...mail, text });
  // Another try, with another token, is of the same mail.
  await mailer.send({ ...mail, text });
  const name = '2026-11-24T19-30-05Z_grace+shop@example.com_mail_01m7yvw2defakacgwsjrgb7k0y.eml';
  expect(readdirSync(folder)).toEqual([name]);
  const [head, ...body] = readFileSync(join(folder, name), 'utf8').split('\r\n\r\n');
  expect(head).toMatch(/^Content-Transfer-Encoding: 8bit$/m);
  expect(head).toMatch(/^To: grace\+shop@example.com$/m);
  expect(body.join('\r\n\r\n')).toBe(text.replaceAll('\n', '\r\n'));
});

test('the name of a recipient leads no mail out of its folder', async () => {
  const { mailer, folder } = createFiles();
  await mailer.send({ ...mail, to: `"../../${'x'.repeat(300)}"@example.com`, text: 'Hello' });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^2026-11-24T19-30-05Z_[\w.@+-]{64}_mail_\w+\.eml$/)]);
});
