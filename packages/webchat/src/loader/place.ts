import type { Config } from '../config.ts';
import type { Events } from '../events.ts';
import type { Commands } from '../page-api.ts';
import type { Launcher } from './launcher.ts';

/** What the loader gives to the widget. */
export type Place = {
  /** Where the channel's routes are: `https://…/webchat/<channel>`. */
  base: string;
  channel: string;
  config: Config;
  launcher: Launcher;
  emit: Events['emit'];
  /** The script's `data-scheme`: the colours of the page, where it does not follow the browser's. */
  scheme: string | undefined;
};

/** What the widget module exports. */
export type WidgetModule = { startWidget: (place: Place) => Widget };

export type Widget = Commands & { destroy: () => void };
