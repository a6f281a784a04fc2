/** The input of the workflow sendMail: a TypeID. */
export type SendMail = { mailId: string };

/** What became of a mail: taken by the mail server, or refused by it for good. */
export type MailEnd = 'sent' | 'refused';

/** The workflow sendMail. */
export type SendMailWorkflow = (mail: SendMail) => Promise<MailEnd>;
