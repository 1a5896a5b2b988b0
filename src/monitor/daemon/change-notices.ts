import type { AgentStatus, MonitorStore, MonitorTables } from "../../core/contracts/monitor.ts";

/** A store that calls `onChange` after an agent has another state or another pending action, or a decision another state. */
export function withChangeNotices(store: MonitorStore, onChange: () => void): MonitorStore {
  return {
    ...store,
    async update(work) {
      let changed = false;
      const result = await store.update((tables) =>
        work(
          noting(tables, () => {
            changed = true;
          }),
        ),
      );
      if (changed) onChange();
      return result;
    },
  };
}

function noting(tables: MonitorTables, onChange: () => void): MonitorTables {
  return {
    ...tables,
    putAgent(status) {
      if (standingOf(tables.agent(status.agent_id)) !== standingOf(status)) onChange();
      tables.putAgent(status);
    },
    putDecision(decision) {
      if (tables.decision(decision.id)?.state !== decision.state) onChange();
      tables.putDecision(decision);
    },
  };
}

function standingOf(status: AgentStatus | undefined): string {
  return `${status?.state} ${status?.since} ${status?.pending?.id}`;
}
