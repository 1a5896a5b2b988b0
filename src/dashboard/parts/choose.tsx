import { folder } from "./format.ts";

interface ProjectProps {
  readonly projects: readonly string[];
  readonly value: string;
  /** True where all of them together can be chosen, which is the empty value. */
  readonly withAll?: boolean;
  readonly onChange: (project: string) => void;
}

export function ProjectSelect({ projects, value, withAll = false, onChange }: ProjectProps) {
  return (
    <select
      class="field"
      aria-label="Project"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {withAll && <option value="">All projects</option>}
      {projects.map((path) => (
        <option key={path} value={path}>
          {folder(path)}
        </option>
      ))}
    </select>
  );
}

interface TabsProps {
  readonly choices: readonly (readonly [value: string, title: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Tabs({ choices, value, onChange }: TabsProps) {
  return (
    <div class="tabs">
      {choices.map(([one, title]) => (
        <button type="button" key={one} aria-pressed={value === one} onClick={() => onChange(one)}>
          {title}
        </button>
      ))}
    </div>
  );
}
