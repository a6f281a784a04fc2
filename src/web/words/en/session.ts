/** Signing in, and what links in mails lead to. */
export const session = {
  title: 'Sign in',
  ended: 'Your session has ended. Sign in again.',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  forgotten: 'Forgotten your password?',
  byLink: 'Signing you in …',
  signInLinkGone: 'This link is not good any more',
  signInLinkGoneText:
    'It works once, within an hour. Sign in with your password instead, have a new one sent, or have your operator make another link: parley users sign-in-link.',
  toSignIn: 'To signing in',
  newPassword: 'New password',
  passwordRule: 'At least {{least}} characters. A few words in a row are easy to remember and hard to guess.',
  forgottenTitle: 'Forgotten password',
  forgottenText:
    'Say which e-mail address you sign in with. If it is a user’s, a mail with a link to a new password goes there.',
  sendLink: 'Send the link',
  sendLinkTitle: 'Have a link to a new password sent',
  linkSent: 'Look into your mail',
  linkSentText:
    'If somebody signs in with {{email}}, a mail is on its way there. Its link is good for an hour, once. At most one mail goes out in five minutes. Without one after a while, look whether the address is right, or ask an owner of your account.',
  otherEmail: 'Another e-mail address',
  resetTitle: 'Choose a new password',
  resetText: 'It takes the place of the one before, and ends all your sessions: you then sign in with it.',
  setPassword: 'Set the password',
  resetDone: 'Your new password is set. All your sessions are ended.',
  invitationTitle: 'Accept the invitation',
  invitationText:
    'Choose a password. You sign in from now on with it and with the e-mail address that the invitation came to.',
  invitationOther: 'You are signed in as {{email}} now. Accepting signs you in as who was invited instead.',
  accept: 'Accept and sign in',
  noToken: 'Open the link of the mail',
  resetLinkGone: 'This link is not good any more',
  resetLinkGoneText: 'It works once, within an hour. Have another one sent.',
  resetNoTokenText:
    'This page works by the link of a mail, whole, with what stands behind its #. Have one sent if you have none.',
  invitationGone: 'This invitation is not good any more',
  invitationGoneText:
    'Its link works once, within seven days, and not when the invitation was withdrawn. If you have accepted it already, sign in. Otherwise ask who invited you to send it again.',
  invitationNoTokenText: 'This page works by the link of the invitation’s mail, whole, with what stands behind its #.',
} as const;
