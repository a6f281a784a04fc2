import type { Schemas } from './client.ts';
import { ApiFailure, readFailure } from './failure.ts';

type Uploading = {
  /** Hears how much has gone, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
};

/** Sends a file as `POST /media` takes it. Throws as `client` does, and a `TypeError` where no answer came. */
export const uploadFile = async (file: File, { onProgress, signal }: Uploading): Promise<Schemas['Media']> => {
  const response = await put(file, { onProgress, signal });
  if (!response.ok) throw await readFailure(response);
  const media: Schemas['Media'] = await response.json();
  return media;
};

/** `fetch` says nothing of how much has gone. */
const put = (file: File, { onProgress, signal }: Uploading): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/dashboard/api/media?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const retryAfter = request.getResponseHeader('Retry-After');
      const headers = retryAfter === null ? {} : { 'Retry-After': retryAfter };
      resolve(new Response(responseText, { status, headers }));
    });
    request.addEventListener('error', () => reject(new TypeError('no answer came')));
    request.addEventListener('abort', () => reject(new DOMException('The upload was given up.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });

/** Whether a file was given up by its user, which is no failure. */
export const isGivenUp = (error: unknown): boolean =>
  !(error instanceof ApiFailure) && error instanceof DOMException && error.name === 'AbortError';
