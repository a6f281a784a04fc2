/** Signing in, and what links in mails lead to. */
export const words = {
  title: 'Sign in',
  ended: 'Your session has ended. Sign in again.',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  forgotten: 'Forgotten your password?',
  byLink: 'Signing you in …',
  signInLinkGone: 'This link no longer works',
  signInLinkGoneText:
    'It works once, within an hour. Sign in with your password, request a new password, or ask whoever runs Parley for another link.',
  toSignIn: 'Sign in',
  forgottenTitle: 'Forgotten password',
  forgottenText:
    'Enter the e-mail address that you sign in with. If it is a user’s address, a mail with a link to a new password goes to it.',
  sendLink: 'Send the link',
  sendLinkTitle: 'Request a link to a new password',
  linkSent: 'You have requested a link',
  linkSentText: (email: string) =>
    `If ${email} is a user’s address, a mail with a link is written to it. The link works once, within an hour. At most one mail is written every five minutes. If none comes, check the address, or ask whoever runs Parley.`,
  otherEmail: 'Another e-mail address',
  resetTitle: 'Choose a new password',
  resetText: 'It replaces the old one and ends all your sessions. You then sign in with it.',
  setPassword: 'Set the password',
  resetDone: 'Your new password is set. All your sessions are ended.',
  invitationTitle: 'Accept the invitation',
  invitationTo: ({ account, role }: { account: string; role: string }) =>
    `You are invited to “${account}” with the role ${role}.`,
  invitationEmail: (email: string) => `Choose a password. You sign in with it and with ${email}.`,
  yourName: 'Your name',
  invitationOther: (name: string) =>
    `You are signed in as ${name} now. Accepting signs you in as who was invited instead.`,
  accept: 'Accept and sign in',
  noToken: 'Open the link of the mail',
  resetLinkGone: 'This link no longer works',
  resetLinkGoneText: 'It works once, within an hour. Request another one.',
  resetNoTokenText:
    'Open this page with the complete link from the mail, including the part after #. If you have no mail, request one.',
  invitationGone: 'This invitation no longer works',
  invitationGoneText:
    'Its link works once, within seven days, and not when the invitation was withdrawn. If you have accepted it already, sign in. Otherwise ask who invited you to send it again.',
  invitationNoTokenText: 'Open this page with the complete link from the mail, including the part after #.',
} as const;
