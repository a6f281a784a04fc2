/** A request that a server makes of the API with its key, ready to be run. `path` begins with /v1; the body's texts have no apostrophe. */
export const postAsCurl = (apiUrl: string, path: string, body: string): string =>
  [
    `curl ${apiUrl}${path} \\`,
    '  -H "Authorization: Bearer $PARLEY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join('\n');
