/** Headers that belong to a connection or to the framing of a message: the client sets them, and nobody else may. */
const connectionHeaders: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Whether a header of this name, in any case, is the client's own business. */
export const isConnectionHeader = (name: string): boolean => connectionHeaders.has(name.toLowerCase());

/** Whether this can be the name of a header (RFC 9110, token). */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~\w]{1,128}$/.test(name);
