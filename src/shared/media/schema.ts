import { z } from 'zod';
import { asStored, codec, id, nullable } from '../codec.ts';
import { mediaTypes, nameBytes, type MediaType } from './limits.ts';

/** What an id of a file names. */
export const mediaNoun = { name: 'media', prefix: 'med' } as const;

/** A file as messages tell it: all of it but its links. The id is a UUID. */
export type MediaFile = {
  id: string;
  type: MediaType;
  name: string;
  contentType: string;
  bytes: number;
  width: number | null;
  height: number | null;
  hasThumbnail: boolean;
};

/** The signed links to a file; `thumbnail` is null for one that has none. */
export type LinkTo = (file: Pick<MediaFile, 'id' | 'name' | 'hasThumbnail'>) => {
  url: string;
  thumbnail: string | null;
};

const pixels = nullable(asStored(z.int()), { description: 'In pixels, for an image.' });

const file = codec({
  id: id(mediaNoun),
  type: asStored(z.enum(mediaTypes)),
  name: asStored(z.string()),
  content_type: asStored(
    z.string().meta({ description: 'By what is in the file; `application/octet-stream` where that tells nothing.' }),
  ),
  size: asStored(z.int().meta({ description: 'In bytes.' })),
  width: pixels,
  height: pixels,
});

/** A file as events and callbacks tell it: their bytes do not change, so they have no link, which would expire. The
 * schema of an event is JSON Schema alone: it has no `example` of OpenAPI. */
export const toldFile = file.body.extend({ id: z.string() });

const links = {
  url: z.url().meta({ description: 'Downloads it without a credential, for an hour at least.' }),
  thumbnail_url: z.url().nullable().meta({ description: 'The same for a small picture, for an image.' }),
};

/** A file in an answer about a message. */
export const linkedFile = file.body.extend(links);

export const mediaBody = linkedFile.extend({ created_at: z.iso.datetime() }).meta({ id: 'Media' });

/** A file as it is stored. */
export type MediaRow = MediaFile & { createdAt: Date };

export const tellFile = ({ bytes, ...row }: MediaFile): z.infer<typeof toldFile> => file.show({ ...row, size: bytes });

export const linkFile = (row: MediaFile, linkTo: LinkTo): z.infer<typeof linkedFile> => {
  const { url, thumbnail } = linkTo(row);
  return { ...tellFile(row), url, thumbnail_url: thumbnail };
};

/** A file as the API shows it. */
export const showMedia = (row: MediaRow, linkTo: LinkTo): z.infer<typeof mediaBody> => ({
  ...linkFile(row, linkTo),
  created_at: row.createdAt.toISOString(),
});

export const uploadQuery = z.object({
  name: z
    .string()
    .max(4 * nameBytes)
    .optional()
    .meta({
      description: `The file's name. Paths and control characters are left out, and what exceeds ${nameBytes} bytes.`,
      example: 'receipt.pdf',
    }),
});
