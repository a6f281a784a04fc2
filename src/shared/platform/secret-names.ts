/** Parts of a name that tell of a secret wherever they stand; without case and separators. */
const anywhere =
  /authorization|authentication|cookie|token|secret|passw|passphrase|session|sessid|signature|csrf|xsrf|(?:api|access|auth|secret|private|account|subscription|functions|master|admin|app|application|client|license|signing|encryption|storage|shared|consumer)key/;

/** Words that tell of a secret as a whole word. */
const words: ReadonlySet<string> = new Set(['auth', 'hmac', 'jwt', 'bearer', 'otp']);

/** Words that tell of a secret as the last one of a name. */
const lastWords: ReadonlySet<string> = new Set(['pass', 'pwd', 'pw', 'passwd', 'sig', 'sid']);

/**
 * Whether a header, a parameter or a field of a form of this name carries a secret by custom. It is the only list of such names: their values
 * are redacted in what is kept, hidden from agents, left out of exports, and stay behind when a redirect leaves the origin.
 */
export const isSecretName = (name: string): boolean => {
  const parts = wordsOf(name);
  const whole = parts.join('');
  return (
    anywhere.test(whole) ||
    /^x?key$/.test(whole) ||
    parts.some((word) => words.has(word)) ||
    lastWords.has(parts.at(-1) ?? '')
  );
};

/** The words of `X-Api_Key`, `xApiKey` and the like, in small letters. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
