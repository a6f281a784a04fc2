/** What keeps a text from becoming a request, at a character of the text, counted from 0. */
export type CurlProblem = { position: number; message: string };

/** What became of an option, a variable or a part of the text, in words. It never has a value in it, which may be a secret. */
export type CurlNote = { option: string; said: string };

/** The most notes and problems of one text. */
const limits = { notes: 100, problems: 20 } as const;

/** What is found while a text is read. The same note and problem is kept once. */
export class Findings {
  readonly #notes = new Map<string, CurlNote>();
  readonly #problems = new Map<string, CurlProblem>();
  /** How each variable was written, by the name of the placeholder that stands for it. */
  readonly variables = new Map<string, string>();

  note(option: string, said: string): void {
    if (this.#notes.size < limits.notes) this.#notes.set(`${option}\n${said}`, { option, said });
  }

  problem(position: number, message: string): void {
    if (this.#problems.size < limits.problems) this.#problems.set(`${position}\n${message}`, { position, message });
  }

  get notes(): CurlNote[] {
    return [...this.#notes.values()];
  }

  /** In the order of the text. */
  get problems(): CurlProblem[] {
    return [...this.#problems.values()].sort((one, other) => one.position - other.position);
  }
}
