import type { Json } from '../../src/shared/custom-fields/values.ts';
import { findIn, type Marker, type Scope } from '../../src/shared/flows/templating/scope.ts';

/** A scope of these values, and of markers by their whole names. */
export const aScope = (values: Json, markers: Readonly<Record<string, Marker>> = {}, timeZone = 'UTC'): Scope => ({
  find: (path) => (Object.hasOwn(markers, path) ? markers[path] : findIn(values, path.split('.'))),
  timeZone,
  language: 'en',
});
