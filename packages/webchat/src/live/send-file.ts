export type Sending = {
  token: string | null;
  /** Any of them gives the file up. */
  signals: readonly AbortSignal[];
  onProgress: (part: number) => void;
};

/** A slow line takes its time for a large file. */
const deadlineMs = 300_000;

/** Posts a file and says how much has gone, which `fetch` does not. Rejects where no answer comes. */
export const sendFile = (url: string, file: Blob, { token, signals, onProgress }: Sending): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const end = (): void => request.abort();
    request.open('POST', url);
    request.timeout = deadlineMs;
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (token) request.setRequestHeader('X-Visitor-Token', token);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('loadend', () => {
      for (const signal of signals) signal.removeEventListener('abort', end);
      const { status, responseText } = request;
      if (status < 200) return reject(new TypeError('no answer came'));
      const seconds = request.getResponseHeader('Retry-After');
      return resolve(
        new Response(responseText, { status, headers: seconds === null ? {} : { 'Retry-After': seconds } }),
      );
    });
    if (signals.some(({ aborted }) => aborted)) return reject(new TypeError('given up'));
    for (const signal of signals) signal.addEventListener('abort', end);
    request.send(file);
    return undefined;
  });
