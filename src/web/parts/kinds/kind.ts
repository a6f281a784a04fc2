import type { Icon } from '@tabler/icons-react';
import type { Hue } from './hues.ts';

/** How a kind of thing looks wherever it stands. */
export type Kind = { icon: Icon; hue: Hue };
