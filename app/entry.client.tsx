import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { CarryOver } from "./frame/carry-over.tsx";
import { waitForLateComponents } from "./frame/late-component.tsx";

void waitForLateComponents().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <CarryOver>
        <HydratedRouter />
      </CarryOver>,
    );
  }),
);
