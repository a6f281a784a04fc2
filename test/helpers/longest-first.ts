import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Has the files that these names match begin first, in this order: begun last, they would run alone at the end where files run side by side. Files of a
 * project stay together, so that a worker can go on with the next one of its own.
 */
export const longestFirst = (names: readonly RegExp[]): TestSequencerConstructor =>
  class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification): number => {
        const found = names.findIndex((name) => name.test(moduleId));
        return found < 0 ? names.length : found;
      };
      const byProject = Map.groupBy(specifications, ({ project }) => project.name);
      return [...byProject.values()].flatMap((those) => those.toSorted((one, other) => place(one) - place(other)));
    }
  };
