/** The input of the workflow sendMail: a TypeID. */
export type SendMail = { mailId: string };

/** What became of a mail: taken by the mail server, refused by it for good, or never sent because what its link is for is gone. */
export type MailEnd = 'sent' | 'refused' | 'withdrawn';

/** What the link of a mail is for: an invitation, or the password of a user. */
export type LinkKind = 'invitation' | 'password_reset';

/** The workflow sendMail. */
export type SendMailWorkflow = (mail: SendMail) => Promise<MailEnd>;
