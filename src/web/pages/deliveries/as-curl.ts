/** A text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A command that POSTs a delivery's exact body to its endpoint, signed with the secret in $SECRET, which is no part of it (specification 5.6).
 * `printf` takes the body as it is; `--data-raw` sends it as it is, also where it begins with @.
 */
export const asCurl = ({ id, url, body }: { id: string; url: string; body: string }): string =>
  [
    ': "${SECRET:?Set SECRET to the secret of the webhook first}"',
    `BODY=${quote(body)}`,
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    `curl -i ${quote(url)} \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H 'webhook-id: ${id}' \\`,
    `  -H "X-Service-Signature: $SIGNATURE" \\`,
    '  --data-raw "$BODY"',
  ].join('\n');
