module modular {
    exports modular.api;
    uses modular.api.Named;
    provides modular.api.Named with modular.inner.First;
}
