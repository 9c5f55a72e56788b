import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { CarryOver } from "./frame/carry-over.tsx";
import { waitForParts } from "./frame/late-part.tsx";

void waitForParts().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <CarryOver>
        <HydratedRouter />
      </CarryOver>,
    );
  }),
);
