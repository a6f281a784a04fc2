import type { ApiContext } from './http.ts';

/** The ETag of a draft of this revision. */
export const setRevision = (ctx: ApiContext, revision: number): void => ctx.set('ETag', `"${revision}"`);

/**
 * The revisions that a request's If-Match allows; undefined when it allows any. What is no ETag of ours allows none, so that the request is
 * refused with 412.
 */
export const readIfMatch = (ctx: ApiContext): number[] | undefined => {
  const header = ctx.get('if-match').trim();
  if (header === '' || header === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const [, revision] = /^\s*"(\d{1,9})"\s*$/.exec(tag) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
};
