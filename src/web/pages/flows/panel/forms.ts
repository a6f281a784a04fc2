import { RequestForm } from '../request/request-form.tsx';
import type { BlockForm } from './block-form.ts';

/** The form of each kind of block, by its type. */
export const forms: Readonly<Record<string, BlockForm>> = {
  external_request: RequestForm,
};
