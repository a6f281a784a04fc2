/** Headers as they stand in HTTP, a line each. */
export const sayHeaders = (headers: Readonly<Record<string, string | readonly string[]>>): string =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
    .join('\n');
