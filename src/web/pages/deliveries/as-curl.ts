/** A text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A command that POSTs a delivery's exact body to its endpoint, signed now with the secret in $SECRET, which is no part of it (specification 5.6).
 * Receivers refuse an old signature of Standard Webhooks, so that the shell signs when it runs. `printf` takes the body as it is; `--data-raw` sends it
 * as it is, also where it begins with @. The parentheses end it all where $SECRET is missing, also in a shell that somebody types into.
 */
export const asCurl = ({ id, url, body }: { id: string; url: string; body: string }): string =>
  [
    '(',
    ': "${SECRET:?Set SECRET to the secret of the webhook first}"',
    `ID=${quote(id)}`,
    'AT=$(date +%s)',
    `BODY=${quote(body)}`,
    'case $SECRET in',
    '  whsec_*) key() { printf %s "${SECRET#whsec_}" | openssl base64 -d -A; } ;;',
    '  *) key() { printf %s "$SECRET"; } ;;',
    'esac',
    String.raw`KEY=$(key | od -An -v -tx1 | tr -d ' \n')`,
    `SERVICE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    'STANDARD=$(printf %s "$ID.$AT.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)',
    `curl -i ${quote(url)} \\`,
    `  -H 'content-type: application/json' \\`,
    '  -H "X-Service-Signature: $SERVICE" \\',
    '  -H "webhook-id: $ID" \\',
    '  -H "webhook-timestamp: $AT" \\',
    '  -H "webhook-signature: v1,$STANDARD" \\',
    '  --data-raw "$BODY"',
    ')',
  ].join('\n');
