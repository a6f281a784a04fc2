import type { Findings } from './findings.ts';
import { splitCmd } from './split-cmd.ts';
import { splitPowerShell } from './split-powershell.ts';
import { splitSh } from './split-sh.ts';
import type { Command } from './words.ts';

type Split = (source: string, from: number, findings: Findings) => Command;

const byContinuation: Readonly<Record<string, Split>> = { '\\': splitSh, '^': splitCmd, '`': splitPowerShell };

/**
 * How the shell splits a command that this text was written for. The end of its first line decides, then its first quote, then what only one
 * of them writes. Without any the text is for sh.
 */
export const splitFor = (text: string, from: number): Split => {
  const [firstLine = ''] = text.slice(from).split('\n', 1);
  const continued = firstLine.length < text.length - from ? byContinuation[firstLine.trimEnd().slice(-1)] : undefined;
  if (continued) return continued;
  const quote = text.slice(from).search(/["']/) + from;
  if (quote > from && text[quote - 1] === '^') return splitCmd;
  if (/\$env:\w/i.test(text)) return splitPowerShell;
  if (/[\s=]\$?'/.test(text)) return splitSh;
  return /"[{[]\s?""/.test(text) || /%[A-Z][A-Z\d_]{2,40}%/.test(text) ? splitCmd : splitSh;
};

const command = /(?:^|[\s;|&(`])(?:[\w.:~-]{0,40}[/\\]){0,10}curl(?:\.exe)?(?=\s)/;

/** Where the arguments of `curl` begin in a text; undefined when it has no such command. */
export const findCurl = (text: string): number | undefined => {
  const match = command.exec(text);
  return match ? match.index + match[0].length : undefined;
};
