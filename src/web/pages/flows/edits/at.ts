import { isObject } from '../../../../shared/flows/raw-blocks.ts';

/** The value at a dotted path within another, "messages.0.text"; undefined where there is none. */
export const getAt = (within: unknown, path: string): unknown => {
  let value = within;
  for (const name of path === '' ? [] : path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
};

/**
 * The same with another value at a path; undefined takes it away. What is missing on the way is made, and what is no object or list there
 * stays as it is, so that nothing is lost that somebody wrote.
 */
export const setAt = (within: unknown, path: string, value: unknown): unknown => {
  const [name = '', ...rest] = path.split('.');
  if (path === '') return value;
  const below = rest.join('.');
  if (Array.isArray(within)) {
    const index = Number(name);
    if (!/^\d+$/.test(name) || index > within.length) return within;
    const items: readonly unknown[] = within;
    const next = rest.length === 0 ? value : setAt(items[index], below, value);
    if (next === undefined) return index < items.length ? items.toSpliced(index, 1) : within;
    return index === items.length ? [...items, next] : items.with(index, next);
  }
  if (within !== undefined && !isObject(within)) return within;
  if (within === undefined && /^\d+$/.test(name)) {
    const first = name === '0' ? setAt(undefined, below, value) : undefined;
    return first === undefined ? undefined : [first];
  }
  const object = within ?? {};
  const next = rest.length === 0 ? value : setAt(Object.hasOwn(object, name) ? object[name] : undefined, below, value);
  if (next === undefined)
    return Object.hasOwn(object, name)
      ? Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
      : within;
  return { ...object, [name]: next };
};
