export { deliverEvent } from './deliver-event.ts';
export { sendMail } from './send-mail.ts';
