import { describe, expect, test } from 'vitest';
import { newUuid } from '../../../src/shared/ids.ts';
import { createFlowFailingMail } from '../../../src/shared/mail/flow-failing.ts';
import { nameInMail } from '../../../src/shared/mail/name-in-mail.ts';
import { createInvitationMail } from '../../../src/shared/users/mails.ts';

const urls = { baseUrl: 'https://app.parley.example', apiUrl: 'https://api.parley.example' };
const ids = { accountId: newUuid(), userId: newUuid(), flowId: newUuid(), runId: newUuid() };

/** Each mail that has a name which a user chose. */
const mails = {
  invitation: (name: string) =>
    createInvitationMail(
      { accountId: ids.accountId, id: newUuid(), email: 'grace@example.com', name, role: 'agent', accountName: name },
      urls,
    ),
  'failing flow': (name: string) =>
    createFlowFailingMail(
      {
        ...ids,
        recipient: 'ada@example.com',
        recipientName: name,
        flowName: name,
        blockId: 'a',
        reason: 'error',
        failedAt: new Date(),
      },
      urls,
    ),
};

const spam = [
  ['200 characters', 'Buy now! '.repeat(22)],
  ['a url', 'Win at https://evil.example/win?x=1 now'],
  ['a bare domain', 'Visit evil.example/win'],
  ['a domain with dots that browsers take for dots', 'Visit evil。example or evil．example or evil｡example'],
  ['an e-mail address', 'Write to win@evil.example'],
  ['a scheme alone', 'javascript:alert mailto:x tel:+1'],
  ['markup', '<a href="x">Win</a>'],
  ['text that turns around', '\u202eelpmaxe.live\u202c \u2066x\u2069'],
  ['invisible characters', 'A\u200bc\u00adm\u2060e\ufeff\u{e0041}'],
  ['line ends', 'Acme\r\nBcc: x\u2028y\u2029z\u0085w'],
  ['lone surrogates', 'Acme \ud800'],
] as const;

describe.for(Object.entries(mails))('the mail of a(n) %s', ([, mailOf]) => {
  test.for(spam)('carries of %s at most 60 harmless characters', ([, name]) => {
    const { subject, body } = mailOf(name);
    expect(subject.length).toBeLessThan(90);
    expect(subject).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    const ours = body.replaceAll(/https:\/\/a(?:pp|pi)\.parley\.example\S*|(?:ada|grace)@example\.com/g, '');
    for (const text of [subject, ours]) {
      expect(text).not.toMatch(/evil[.。．｡]example|win@|javascript:|mailto:|tel:|<a|live\u202c/);
      expect(text).not.toMatch(/[\p{Cf}\p{Cs}\u2028\u2029\u0085\r]/u);
    }
    expect(body).not.toContain(name);
  });
});

test.for([
  ['Grace', 'Hello Grace,\n'],
  ['\u202e', 'Hello,\n'],
  [null, 'Hello,\n'],
] as const)('a mail greets %j with %j', ([name, greeting]) => {
  const invited = { accountId: ids.accountId, id: newUuid(), email: 'grace@example.com', role: 'agent' } as const;
  const { body } = createInvitationMail({ ...invited, name, accountName: 'Acme' }, urls);
  expect(body.startsWith(greeting)).toBe(true);
});

test('the subject of an invitation has no words of its sender', () => {
  expect(mails.invitation('Win a prize').subject).toBe(mails.invitation('Acme').subject);
});

test.for([
  ['Acme', 'Acme'],
  ['Müller & Söhne GmbH', 'Müller & Söhne GmbH'],
  ['株式会社アクメ', '株式会社アクメ'],
  ['St. Pauli 04', 'St. Pauli 04'],
  ['Booking.com', 'Booking. com'],
  ['  Acme \t Ltd.  ', 'Acme Ltd.'],
  ['🚀'.repeat(61), `${'🚀'.repeat(59)}…`],
])('the name %j is shown as %j', ([name = '', shown]) => {
  expect(nameInMail(name)).toBe(shown);
});
