import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { CarryOver } from "./carry-over.tsx";
import { waitForParts } from "./late-part.tsx";

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
