const mebibyte = 1024 * 1024;

export const mediaTypes = ['image', 'audio', 'video', 'file'] as const;

export type MediaType = (typeof mediaTypes)[number];

/** The largest file of each type, in bytes. */
export const largest: Readonly<Record<MediaType, number>> = {
  image: 10 * mebibyte,
  audio: 16 * mebibyte,
  video: 16 * mebibyte,
  file: 16 * mebibyte,
};

/** The largest file of any type, in bytes. */
export const largestOfAll = Math.max(...Object.values(largest));

/** The most bytes of a file's name, in UTF-8. */
export const nameBytes = 255;

/** The most attachments of a message. */
export const attachmentsAtMost = 10;

/** What is no larger is decoded, in pixels: of an animation, its first frame. */
export const pixelsAtMost = 50_000_000;

/** The longer side of a thumbnail, in pixels. */
export const thumbnailSide = 480;

/** How long a file that no message uses is kept, in hours. */
export const unusedHours = 24;

/** What a visitor of a webchat may send in a day, and which part of an account's quota all of its visitors together. */
export const ofVisitors = { bytes: 200 * mebibyte, files: 50, partOfQuota: 0.25 };
