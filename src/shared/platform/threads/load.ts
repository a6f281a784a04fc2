/** Loads a module, which is then there for the tasks that follow on this thread. */
export const load = async (module: string): Promise<void> => {
  await import(module);
};
