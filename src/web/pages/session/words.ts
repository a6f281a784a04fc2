/** Signing in, and what links in mails lead to. */
export const words = {
  title: 'Sign in',
  ended: 'Your session has ended. Sign in again.',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  forgotten: 'Forgot your password?',
  byLink: 'Signing you in …',
  signInLinkGone: 'This link no longer works',
  signInLinkGoneText:
    'Links work once, within an hour. Sign in with your password, request a new one, or ask your operator for another link.',
  toSignIn: 'Sign in',
  forgottenTitle: 'Forgot password',
  forgottenText: 'Enter the e-mail address that you sign in with. We mail you a link to set a new password.',
  sendLink: 'Send link',
  sendLinkTitle: 'Request a new link',
  linkSent: 'Check your e-mail',
  linkSentText: (email: string) =>
    `If a user has the address ${email}, we send a link. It works once, within an hour. We send at most one every five minutes. If none arrives, check the address, or ask your operator.`,
  otherEmail: 'Use another address',
  resetTitle: 'Choose a new password',
  resetText: 'A new password ends all your sessions. Then sign in with it.',
  setPassword: 'Set password',
  resetDone: 'Your new password is set. All your sessions ended.',
  invitationTitle: 'Accept your invitation',
  invitationTo: ({ account, role }: { account: string; role: string }) =>
    `You are invited to “${account}” with the role ${role}.`,
  invitationEmail: (email: string) => `Choose a password. You will sign in with it and ${email}.`,
  yourName: 'Your name',
  invitationOther: (name: string) =>
    `You are signed in as ${name}. Accepting signs you in as the invited user instead.`,
  accept: 'Accept invitation',
  noToken: 'Open the link in the e-mail',
  resetLinkGone: 'This link no longer works',
  resetLinkGoneText: 'Links work once, within an hour. Request another one.',
  resetNoTokenText:
    'Open this page with the whole link from the e-mail, including the part after #. If you have none, request one.',
  invitationGone: 'This invitation no longer works',
  invitationGoneText:
    'The link works once, within seven days, unless the invitation was withdrawn. If you already accepted, sign in. Else ask for a new invitation.',
  invitationNoTokenText: 'Open this page with the whole link from the e-mail, including the part after #.',
} as const;
