import { plural } from '../../words/numbers.ts';

/** The page of who is signed in. */
export const words = {
  title: 'Profile',
  who: 'Who you are',
  email: 'E-mail',
  nameSaved: 'Your name is saved.',
  account: 'Account',
  role: 'Role',
  password: 'Password',
  passwordText: 'A new password ends all your sessions but this one.',
  currentPassword: 'Current password',
  changePassword: 'Change the password',
  passwordChanged: 'Your password is changed. Your other sessions are ended.',
  mails: 'Mails',
  handoverMails: 'A mail for each handover',
  handoverMailsHint:
    'When a contact asks for a person, or a flow or a colleague does. At most twenty users of an account get them.',
  sessions: 'Where you are signed in',
  sessionsText:
    'A session ends when it is unused for three days, and at the latest after fourteen. End those that you do not know, then change your password.',
  browser: 'Browser',
  unknownBrowser: 'Unknown',
  browserOn: ({ browser, system }: { browser: string; system: string }) => `${browser} on ${system}`,
  thisSession: 'This one',
  address: 'Address',
  lastUsed: 'Last used',
  began: 'Began',
  ends: 'Ends at the latest',
  end: 'End',
  endTitle: (browser: string) => `End the session of ${browser}?`,
  endText: 'Whoever uses it has to sign in again.',
  endOthers: 'End all others',
  endOthersTitle: 'End all sessions but this one?',
  endOthersText: 'Everywhere else you have to sign in again.',
  othersEnded: (count: number) =>
    plural(count, { one: 'One session is ended.', other: `${count} sessions are ended.` }),
} as const;
