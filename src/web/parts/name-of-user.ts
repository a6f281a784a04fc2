/** What colleagues call a user: the e-mail address of one who has no name yet. */
export const nameOfUser = ({ name, email }: { name: string | null; email: string }): string => name ?? email;
