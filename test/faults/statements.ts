/** In the beginning of the statement that writes usual messages, as far as PostgreSQL shows it. */
export const writesMessages = "nextval('messages_seq') as seq";
