/** That a conversation has come to a revision; ids are UUIDs. */
export type Talk = { accountId: string; conversationId: string; revision: number };

/** Of more conversations than this at a time, streams hear that any may have changed. */
export const talksAtMost = 1_000;

/** A conversation of an account has come to this revision: whoever shows it reads what has changed since theirs, and nothing else follows. */
export const talked = (accountId: string, conversationId: string, revision: number) =>
  ({ name: 'talked', accountId, topics: [], talk: { accountId, conversationId, revision } }) as const;

/** Notes the latest revision of a conversation among `talks`, which are by conversation. */
export const keepLatest = (talks: Map<string, Talk>, talk: Talk): void => {
  const known = talks.get(talk.conversationId);
  if (!known || known.revision < talk.revision) talks.set(talk.conversationId, talk);
};
