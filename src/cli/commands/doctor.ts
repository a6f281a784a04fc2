import type { Command } from 'commander';
import { printable, type Answer } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';
import type { Finding } from '../doctor/finding.ts';

/** parley doctor */
export const doctorCommand = (program: Command, deps: CommandDeps): void => {
  program
    .command('doctor')
    .description('check every part of the installation, and say how to fix problems')
    .action(deps.answer(() => doctor(deps)));
};

const doctor = async ({ env }: CommandDeps): Promise<Answer> => {
  // Temporal's client takes half a second to load, which no other command needs.
  const { examineInstallation } = await import('../doctor/examine.ts');
  const findings = await examineInstallation(env);
  const failed = findings.some(({ state }) => state === 'wrong');
  return { document: { ok: !failed, findings }, text: report(findings), failed };
};

const report = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ state, part, message, remedy }) => [
    `${state.padEnd(7)}  ${part.padEnd(width)}  ${printable(message)}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 11)}→ ${printable(remedy)}`]),
  ]);
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  return `${lines.join('\n')}\n\n${count('wrong')} wrong, ${count('warning')} warning, ${count('ok')} ok.`;
};
