import { createHash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { notFound } from '../shared/errors.ts';
import { codeOf } from '../shared/platform/error-code.ts';

/**
 * A file that was built, in the forms in which it is sent. All answers share the same bytes: of its own, each would hold them for as long as its
 * client does not read.
 */
export type BuiltFile = Forms & { type: string; etag: string; isHashed: boolean };

type Forms = { bytes: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined };

/** `type` is an extension or a media type. `isHashed`: its name changes with what is in it. */
export const createBuiltFile = (file: Forms & { type: string; isHashed: boolean }): BuiltFile => ({
  ...file,
  etag: `"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 22)}"`,
});

/** Reads what was built with the first request for it, and keeps it. Throws 404 while it is not built; a failure is not kept. */
export const readOnce = <Built>(read: () => Promise<Built>): (() => Promise<Built>) => {
  let kept: Promise<Built> | undefined;
  return () =>
    (kept ??= read().catch((error: unknown) => {
      kept = undefined;
      throw codeOf(error) === 'ENOENT' ? notFound('page: `npm run build` makes it') : error;
    }));
};

/** Answers with a file, in the best form that its client takes, unless the client has it. */
export const sendBuiltFile = (ctx: ParameterizedContext, file: BuiltFile): void => {
  const { type, bytes, br, gzip, etag, isHashed } = file;
  ctx.set({
    // What is not hashed is kept, too, and asked for anew when it has changed.
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  ctx.type = type;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const forms = { br, gzip, identity: bytes };
  const accepted = ctx.acceptsEncodings(...(['br', 'gzip', 'identity'] as const).filter((name) => forms[name]));
  const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = forms[encoding];
};
