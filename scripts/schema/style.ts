/**
 * SQL of PostgreSQL's catalog as the migrations write it: in lower case outside of quotation marks, where case means nothing, and without what
 * goes without saying.
 */
export const inOneStyle = (sql: string): string =>
  sql
    .split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/)
    .map((part) => (/^['"]/.test(part) ? part : part.toLowerCase()))
    .join('')
    .replaceAll(/('(?:[^']|'')*')::text\b(?!\[)/g, '$1')
    .replaceAll(/= any \(array\[([^\]]*)\]\)/g, 'in ($1)')
    .replaceAll(/<> all \(array\[([^\]]*)\]\)/g, 'not in ($1)')
    .replaceAll('timestamp with time zone', 'timestamptz');

/** An index of a partitioned table without `only`: the tables are made before their partitions. */
export const indexStyle = (definition: string): string =>
  inOneStyle(definition).replace(' on only ', ' on ').replace(' using btree ', ' ');

/** The body stays as the migration wrote it. */
export const functionStyle = (definition: string): string => {
  const [declaration = '', ...body] = definition.split(/(?=\$function\$)/);
  const words = inOneStyle(declaration.replaceAll('public.', '')).trim().split(/\s+/).join(' ');
  return `${[words.replace('create or replace', 'create'), body.join('').trimEnd()].join(' ').trimEnd()};`;
};
