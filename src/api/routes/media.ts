import { found, RequestError } from '../../shared/errors.ts';
import { largest, largestOfAll } from '../../shared/media/limits.ts';
import { findMedia } from '../../shared/media/queries.ts';
import { mediaBody, mediaNoun, showMedia, uploadQuery } from '../../shared/media/schema.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext, ApiDeps } from '../http.ts';
import { createResource, type Resource } from '../resource.ts';

const mebibyte = 1024 * 1024;

/** Files of messages. */
export const mediaRoutes = (deps: ApiDeps): Resource => {
  const media = createResource(deps, {
    tag: { name: 'Media', description: 'Files that messages have as attachments.' },
    doors: ['v1', 'dashboard'],
  });
  endpoint(
    media,
    {
      id: 'uploadMedia',
      method: 'post',
      path: '/media',
      summary: 'Upload a file',
      description:
        'The body is the file itself. Its type is found by what is in it, whatever Content-Type says. A file that no message uses is removed after a day.',
      role: 'agent',
      query: uploadQuery,
      rawBody: { bytes: largestOfAll },
      answers: { 201: mediaBody },
      refusals: {
        409: 'When the account has no room for the file.',
        413: `When the file is larger than ${largestOfAll / mebibyte} MiB, or an image than ${largest.image / mebibyte} MiB.`,
        415: 'When the body is compressed, or a form.',
        422: 'When the file is empty.',
      },
    },
    async ({ ctx, principal: { accountId }, query: { name } }) =>
      showMedia(await deps.media.take(writer(deps), { accountId, name, ...fileOf(ctx) }), deps.media.linkTo),
  );
  endpoint(
    media,
    {
      id: 'getMedia',
      method: 'get',
      path: '/media/:id',
      summary: 'Read what is known of a file, with links to it',
      role: 'agent',
      noun: mediaNoun,
      answers: { 200: mediaBody },
    },
    async ({ principal: { accountId }, id }) =>
      showMedia(found('media', await findMedia(deps.db, accountId, id)), deps.media.linkTo),
  );
  return media;
};

/** What takes files writes by it. */
export const writer = ({ db, autocommit }: ApiDeps): Parameters<ApiDeps['media']['take']>[0] => ({
  db,
  write: (work) => autocommit(({ sql }) => work(sql)),
});

/** The file that a request is. Leaving it half read must not destroy the request, because its answer is still to be sent. */
export const fileOf = (ctx: ApiContext): { bytes: number | undefined; chunks: AsyncIterable<Buffer> } => {
  const encoding = ctx.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity')
    throw new RequestError('unsupported_media_type', 'The file must not be compressed for the way.');
  if (/^multipart\//i.test(ctx.get('content-type')))
    throw new RequestError('unsupported_media_type', 'Send the file itself as the body, not a form.');
  return { bytes: ctx.request.length, chunks: ctx.req.iterator({ destroyOnReturn: false }) };
};
